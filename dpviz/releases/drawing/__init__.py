"""Pictures of releases: one drawing of map, legend, promise and credit, as SVG, PDF or PNG.

Drawn from a release and the public map beneath, so from protected and public things alone.
"""
