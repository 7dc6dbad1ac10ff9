"""How answers are made: values in, words and items out. Pure; no module here touches a file."""
