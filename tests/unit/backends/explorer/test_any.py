"""Programs at random: whatever the engine is asked to do on the way, the verdict is the same."""

import pytest

# Some of them with a violation of each property, most without. From 24 on, they are those that tell a reduction that is
# too eager by one condition from one that is right, or have a violation that is rare.
SEEDS = [*range(0, 12), 24, 91, 129, 153, 173, 192, 258, 270, 311, 378, 384]
CHECKS = ["assertion", "deadlock", "race"]
# Ways to search that leave nothing out.
COMPLETE = [
    ["--superstep", "3"],
    ["--search", "dfs"],
    ["--search", "random", "--seed", "7", "--no-por"],
    ["--search", "icb"],
]


@pytest.mark.parametrize("check", CHECKS)
def test_reduction_and_order_change_no_verdict(engine, check):
    verdicts = set()
    for seed in SEEDS:
        env = {"SEED": str(seed)}
        asked = ["--check", check]
        plain = engine("any", *asked, "--no-por", env=env)
        verdicts.add(plain.status)
        for options in [[], COMPLETE[seed % len(COMPLETE)]]:
            answer = engine("any", *asked, *options, env=env)
            assert (seed, answer.status) == (seed, plain.status)
            if answer.status == "safe" and "icb" not in options:
                assert answer.states <= plain.states
                # From the same states nobody goes on any more.
                assert (seed, answer.final) == (seed, plain.final)
    assert verdicts == {"safe", "violated"}


@pytest.mark.parametrize("seed", [173, 270, 390])
def test_bounds_on_preemptions_agree(engine, seed):
    # Each finds the violation with the same number of preemptions, and none with fewer.
    searches = [["bfs"], ["dfs"], ["icb"], ["bfs", "--store", "compact"]]
    verdicts = [
        [
            engine("any", "--preemptions", str(most), "--search", *search, env={"SEED": str(seed)}).status
            for most in range(6)
        ]
        for search in searches
    ]
    assert verdicts == [verdicts[0]] * len(searches)
    assert verdicts[0] == sorted(verdicts[0])  # unknown, then violated
    assert verdicts[0][-1] == "violated"
