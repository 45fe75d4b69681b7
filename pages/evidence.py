"""Soon."""

import streamlit as st

st.title("evidence")
