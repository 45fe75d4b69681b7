"""A checkout is known to Streamlit as an installed package, as the app's own server makes it known."""

from dpviz.ui import installed

installed.announce()
