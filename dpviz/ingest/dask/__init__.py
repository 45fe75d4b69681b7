"""Reading on many workers, with Dask."""
