"""Files to exact data: local engine, Dask engine, column guessing, built-in cities."""
