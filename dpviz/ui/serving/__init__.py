"""How the apps are served."""
