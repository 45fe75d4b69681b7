"""The tables and figures of the papers that the methods come from, made again. Exact numbers: curator only."""
