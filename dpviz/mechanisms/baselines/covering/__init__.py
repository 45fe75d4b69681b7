"""Parts of grid_cover: projection, ladder of grids, selection, averages. Proof: docs/proofs/grid_cover.md."""
