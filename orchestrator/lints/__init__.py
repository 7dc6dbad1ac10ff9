"""What a workspace says but hardly means: the laws by which `cuewave check` tells."""
