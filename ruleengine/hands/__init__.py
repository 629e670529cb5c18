"""Every winning hand of a ruleset: counted, listed, weighed, scored, or drawn at random.

`every` lists the different hands by columns, `winning` finds the winning tile that scores most,
`weights` says in how many ways a hand can be drawn, `forms` lays out four sets and a pair with
claims and kongs, `chance` makes hands and situations as play might.

`worlds` goes through all that sentences can tell apart, of hands and of how they are won, and says
how one sentence stands to another: `facts` what sentences read, `limits` what a shape settles
beforehand, `space` the groups in classes, `effect` the answer as a value.
"""
