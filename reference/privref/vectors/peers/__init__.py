"""Other libraries before the judge: what each of their functions claims to answer, run at exact inputs."""
