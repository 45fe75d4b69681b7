"""The public map beneath: coast, water and names of the world, and finer maps that a user brought.

Nothing here knows a record: a map is found by the public box alone.
"""
