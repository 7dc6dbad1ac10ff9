"""A plan drawn: as text for a terminal, as a Mermaid flowchart, in Graphviz DOT, as SVG.

Law: whatever stands in an action, a drawing stays valid; no text from outside reaches a drawing unescaped.
What a drawing tells by colour it tells by a shape, a line or a word too.
"""
