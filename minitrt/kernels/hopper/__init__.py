"""Hopper's own instructions (sm_90a) as intrinsics: one file a subject."""
