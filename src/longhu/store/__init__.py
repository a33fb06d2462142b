"""The event store of a house: trails, the money they moved, and the secrets of shuffles not yet revealed.

Store, then tell: whoever gets an answer from a store may tell it to others. What was answered is on the disk.
"""
