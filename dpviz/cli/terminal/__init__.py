"""What commands print, where they may write, and how they end."""
