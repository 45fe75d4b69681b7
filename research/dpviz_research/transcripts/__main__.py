"""`python -m dpviz_research.transcripts`: the long battery and its records."""

from dpviz_research.transcripts.record import main

main()
