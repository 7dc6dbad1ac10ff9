"""The same plan carried out adaptively, and blindly, side by side."""
