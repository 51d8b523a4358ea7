"""Submitted runs: is all there that a leaderboard needs, do verdicts follow from the answers, and which rank is it?"""
