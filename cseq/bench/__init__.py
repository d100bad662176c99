"""The benchmark runner `cseq-bench`: BenchExec for machines without cgroups.

Definitions, tasks, verdicts, scores and result files are BenchExec's: its own modules read and write them. Ours is what
carries out a run and measures it (`runner.py`, `measure.py`), because BenchExec's executor insists on cgroups; what
finds the line of a mistake in a task definition (`taskfiles.py`), because BenchExec names only the file; and what tasks
are run when they are named on the command line instead of in a definition (`runsets.py`).
"""
