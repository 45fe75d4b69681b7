"""dpviz: private coresets and private k-means for GPS data."""
