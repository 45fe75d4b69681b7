"""Privacy bugs planted into the real code, one at a time, and the checks that must find each of them."""
