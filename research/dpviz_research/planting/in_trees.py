"""Bugs planted into what the tree makes of its counts: its roots, its rounds, the ground and surface that it searches.

Everything after a noisy count is free. Each of these looks at the exact one instead, or pays for a count too little.
"""

from __future__ import annotations

from dpviz_research.planting.patches import Bug, Piece

TREE = "adaptive_tree"
CHECK = "transcripts of adaptive_tree"
MAPS = "transcripts beside a public map"
RUN = "mechanisms.adaptive_tree.mechanism:AdaptiveTree.run"
_PIECES = "mechanisms.adaptive_tree.mechanism:_pieces"
_GROW = "mechanisms.adaptive_tree.growth:grow"
_ROUND = "mechanisms.adaptive_tree.residual:residual_round"
_SEARCHED = """synopsis, centers = _search_ground(  # [P6]
        synopsis, find_ground(tree, pieces), plan.k, public.frame, self.recipe.effort(strength, plan.k)
    )"""
_SUMS = "exact = data.exact_clipped_sums(centers, radii, LATTICE)"

BUGS: tuple[Bug, ...] = (
    Bug(
        name="the roots are counted without noise",
        room=TREE,
        where=_GROW,
        old="values = noise.add_laplace(data.exact_counts(0, roots), scale).astype(np.float64)",
        new="values = data.exact_counts(0, roots).astype(np.float64)",
        check=CHECK,
    ),
    Bug(
        name="the noise of the roots is a tenth smaller than what they pay",
        room=TREE,
        where=_GROW,
        old="scale = scale_for(ladder.spend_on_roots())",
        new="scale = scale_for(ladder.spend_on_roots()) * 0.9",
        check=CHECK,
    ),
    Bug(
        name="two residual rounds share one sum and each spends all of it",
        room=TREE,
        where=RUN,
        old="centers, spend, noise)",
        new="centers, sum(shares.residual), noise)",
        check=CHECK,
    ),
    Bug(
        name="offsets are clipped where the farthest exact record is",
        room=TREE,
        where="mechanisms.adaptive_tree.growth:Pyramid.exact_clipped_sums",
        old="sums: Integers = _kernels.clipped_sums(",
        new="""rows, cols = np.nonzero(cells)
    reach = np.abs(np.column_stack([xs[cols], ys[rows]])[:, None] - centers).sum(axis=2).min(axis=1)
    radii = np.minimum(radii, reach.max(initial=self.width / side))
    sums: Integers = _kernels.clipped_sums(""",
        check=CHECK,
    ),
    Bug(
        name="parts that hold nobody are clipped nearer",
        room=TREE,
        where=_ROUND,
        old=_SUMS,
        new=f"""radii = np.where(data.exact_clipped_sums(centers, radii, LATTICE).any(axis=1), radii, radii / 2)
    {_SUMS}""",
        check=CHECK,
    ),
    Bug(
        name="quiet ground is told by exact counts",
        room=TREE,
        where=RUN,
        old="find_ground(tree, pieces)",
        new="""replace(
            find_ground(tree, pieces),
            values=np.concatenate(
                [counts.exact_counts(depth, here.nodes[here.leaf]) for depth, here in enumerate(tree)]
            ).astype(np.float64),
        )""",
        check=CHECK,
    ),
    Bug(
        name="the exact number of records decides which ground is left out",
        room=TREE,
        where=RUN,
        old="find_ground(tree, pieces)",
        new="""(lambda drawn: replace(drawn, values=drawn.values * data.exact_total / max(drawn.values.sum(), 1.0)))(
            find_ground(tree, pieces)
        )""",
        check=CHECK,
    ),
    Bug(
        name="the surface keeps the exact counts of the leaves",
        room=TREE,
        where=_PIECES,
        old="smooth_pieces(tree, consistent, counts, belief)",
        new="""smooth_pieces(
            tree,
            [(counts.exact_counts(depth, here.nodes).astype(np.float64), consistent[depth][1])
             for depth, here in enumerate(tree)],
            counts,
            belief,
        )""",
        check=CHECK,
    ),
    Bug(
        name="the surface is the exact counts of a finer grid",
        room=TREE,
        where="mechanisms.adaptive_tree.surface:smooth_pieces",
        old="surface = smooth_surface(*leaf_grid(tree, consistent, blocks, across))",
        new="surface = blocks.exact_level(across).astype(np.float64)",
        check=CHECK,
    ),
    Bug(
        name="the search starts from exact data",
        room=TREE,
        where=RUN,
        old=_SEARCHED,
        new="""weights, best = find_ground(tree, pieces).search(
        synopsis.weights,
        lambda believed: solve_kmeans(
            synopsis.positions[believed > 0.0],
            believed[believed > 0.0],
            plan.k,
            seed=data.exact_total,
            low=np.zeros(public.frame.dims),
            high=public.frame.extent,
            **self.recipe.effort(strength, plan.k),
        ),
    )
    synopsis, centers = replace(synopsis, weights=weights), best.centers""",
        check=CHECK,
    ),
    Bug(
        name="the exact number of records decides how often is searched",
        room=TREE,
        where=RUN,
        old="self.recipe.effort(strength, plan.k)",
        new="self.recipe.effort(data.exact_total * float(whole), plan.k)",
        check=CHECK,
    ),
    Bug(
        name="stripes are not clipped, and a record on the far edge of the box ends the run",
        room=TREE,
        where="mechanisms.adaptive_tree.bisection:StripesAsked.add",
        old="np.clip((cube * STRIPES).astype(np.int64), 0, STRIPES - 1)",
        new="(cube * STRIPES).astype(np.int64)",
        check=CHECK,
    ),
    Bug(
        name="centers and points are handed out where they are, also outside the box",
        room=TREE,
        where="mechanisms.adaptive_tree.mechanism:assemble_answer",
        old="centers = np.clip(found, 0.0, frame.extent)",
        new="centers = found",
        also=(
            Piece(
                where="mechanisms.adaptive_tree.residual:correct_centers",
                old="moved[used] = np.clip(sums[used] / held[used, None] + shifts[used], 0.0, extent)",
                new="moved[used] = sums[used] / held[used, None] + shifts[used]",
            ),
        ),
        check=CHECK,
    ),
    Bug(
        name="points of the coreset are handed out where a correction put them, also outside the box",
        room=TREE,
        where="mechanisms.adaptive_tree.mechanism:assemble_answer",
        old="np.clip(synopsis.positions[used], 0.0, frame.extent)",
        new="synopsis.positions[used]",
        check=CHECK,
    ),
    Bug(
        name="a pick is paid on top of the round",
        room=TREE,
        where="mechanisms.adaptive_tree.budget:Shares.with_pick",
        old="residual=(first - spend, *others), pick=spend",
        new="residual=(first, *others)",
        check=CHECK,
    ),
    Bug(
        name="the difference of two costs is not clipped",
        room=TREE,
        where="mechanisms.adaptive_tree.growth:Pyramid.exact_cost_difference",
        old="*both, radius, lattice)",
        new="*both, radius, lattice * 64)",
        check=CHECK,
    ),
    Bug(
        name="the exact costs choose which clusterings are compared",
        room=TREE,
        where=RUN,
        old="centers = pick.made(counts, noise)",
        new="""if counts.exact_cost_difference(pick.first, pick.second, pick.radius, 1 << 20) < 0:
                pick = replace(pick, first=pick.second, second=pick.first, gap=-pick.gap)
            centers = pick.made(counts, noise)""",
        check=CHECK,
    ),
    Bug(
        name="the exact number of records decides whether clusterings are compared",
        room=TREE,
        where=RUN,
        old="if pick is not None:",
        new="if pick is not None and data.exact_total % 2:",
        check=CHECK,
    ),
    Bug(
        name="a public map is believed where records are",
        room=TREE,
        where="mechanisms.adaptive_tree.mechanism:AdaptiveTree._belief",
        old="belief.learn(tree, consistent)",
        new="""belief.learn(tree, consistent)
    belief.shares = belief.shares * (1 + (counts.exact_level(len(belief.shares)) > 2))""",
        check=MAPS,
    ),
    Bug(
        name="the trust in a public map is learned from exact counts",
        room=TREE,
        where="mechanisms.adaptive_tree.surface:Belief._of_depth",
        old="apart = here.values.reshape(-1, fan) - m / fan",
        new="apart = self.blocks.exact_counts(depth, here.nodes).reshape(-1, fan) - m / fan",
        check=MAPS,
    ),
)
