"""Here so that every folder of tests can import `fakes`."""
