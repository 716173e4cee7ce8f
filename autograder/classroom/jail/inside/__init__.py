"""What runs in the jail. It sees inputs, and neither expected values nor anybody else."""
