"""Measure a joint run: python -m dpviz_research.joint --help."""

from dpviz_research.joint.measuring import main

if __name__ == "__main__":
    main()
