"""What is told about a match once it is saved: pages with pictures, and tables for other programs."""
