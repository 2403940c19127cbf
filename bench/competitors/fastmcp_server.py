# FastMCP's own provider of skills, as its documentation shows it: python fastmcp_server.py DIR [reload]
import sys

from fastmcp import FastMCP
from fastmcp.server.providers.skills import SkillsDirectoryProvider

server = FastMCP("skills")
server.add_provider(SkillsDirectoryProvider(roots=sys.argv[1], reload="reload" in sys.argv))
server.run(transport="stdio", show_banner=False)
