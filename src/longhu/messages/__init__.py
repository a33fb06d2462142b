"""What the program says to people: codes with arguments, and a catalogue of sentences for each language.

`message.py` declares codes and makes messages, `icu.py` puts arguments into a sentence, and `localization.py` says a message in
a language. The catalogues, `en.json` and one file for each further language, are read by the page too.
"""
