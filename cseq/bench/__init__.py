"""The benchmark runner, `cseq-bench`: BenchExec's definitions, tasks and results, also where BenchExec cannot run."""
