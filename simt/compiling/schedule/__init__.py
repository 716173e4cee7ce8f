"""Which warps run when, where that is not one step for all of them: out of lock step, and through a lock."""
