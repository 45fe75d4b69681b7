"""What one browser session looks at, has chosen and has made."""
