"""Parts that all pages share: words, colours, icons, tables."""
