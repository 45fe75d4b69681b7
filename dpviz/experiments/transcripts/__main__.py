"""`python -m dpviz.experiments.transcripts`: the long battery and its records."""

from dpviz.experiments.transcripts.record import main

main()
