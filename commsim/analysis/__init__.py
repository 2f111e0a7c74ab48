"""From transcripts to numbers held against bounds."""
