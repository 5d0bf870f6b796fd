"""How bots think, at the engine's speed; compiled like :mod:`fernzug.engine`."""

from fernzug import compiled as compiled  # chooses plain or compiled before the modules are loaded
