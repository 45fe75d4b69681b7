"""The logic of the screens: state, words, map views, layers, previews. Pages only read, call and draw."""
