"""Find Her: one made-up person among real public trips, found in every map but the protected one.

`week` says who she is, `finding` finds her in maps that people think are safe, `playing` draws protected maps with and
without her, `limits` computes how often the best possible guesser is right, and `record` writes all of it down for
the Demo.
"""
