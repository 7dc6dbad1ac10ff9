"""The smallest plan that does the job: split, planner call, collapse, drawing."""
