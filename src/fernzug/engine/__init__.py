"""The rules at native speed: state, legal actions, facts, scoring and playouts.

The modules of this package and of :mod:`fernzug.bonuses` are ordinary typed Python. Where a C
compiler was at hand at installation they were compiled by mypyc; the same files run uncompiled
elsewhere. Setting ``FERNZUG_PLAIN=1`` runs the plain files even where compiled ones are installed,
so that both can be compared on one machine.
"""

from fernzug import compiled as compiled  # chooses plain or compiled before the modules are loaded
from fernzug.engine import chance

COMPILED: bool = not str(chance.__file__).endswith(".py")
"""Whether the engine that was loaded is the compiled one."""
