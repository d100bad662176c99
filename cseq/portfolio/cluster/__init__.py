"""Many machines: the jobs of a run are done by the workers of a dask.distributed cluster."""
