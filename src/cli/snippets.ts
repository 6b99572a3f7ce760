const TOOLS = [
  'ailang-read',
  'ailang-write',
  'ailang-edit',
  'ailang-check',
  'ailang-run',
  'builtins-search',
  'examples-search',
  'ailang-cli',
];

/**
 * What to paste so that each client works through this daemon; `program` is how this program is called in a shell. The token is read from its file when the line runs; it
 * stands in none of them.
 */
export function clientSnippets(url: string, sessionFile: string, program: string): string {
  const endpoint = `${url}/mcp/`;
  const file = shellQuote(sessionFile);
  const named = (prefix: string): string => TOOLS.map((tool) => `${prefix}${tool}`).join(',');
  const piConfig = JSON.stringify({
    mcpServers: {
      world: {
        url: endpoint,
        auth: 'bearer',
        bearerTokenEnv: 'WORLD_SESSION',
        directTools: true,
        toolPrefix: 'server',
      },
    },
  });
  return `# every client: the token, from its file
export WORLD_SESSION="$(cat ${file})"

# by hand
${program} --addr ${url} tools list
${program} --addr ${url} call ailang-cli --arg op=version

# Claude Code (in a scratch directory; .mcp.json will hold the token: delete it afterwards)
claude mcp add --transport http world ${endpoint} --header "Authorization: Bearer $WORLD_SESSION" -s project
claude -p "<task>" --tools "" --strict-mcp-config --mcp-config ./.mcp.json --allowedTools ${named('mcp__world__')}

# codex
codex mcp add world --url ${endpoint} --bearer-token-env-var WORLD_SESSION
codex exec -s read-only --disable shell_tool -c 'mcp_servers.world.default_tools_approval_mode="approve"' "<task>"

# pi (with pi-mcp-adapter)
echo ${shellQuote(piConfig)} > world-mcp.json
pi --mcp-config world-mcp.json --no-builtin-tools --tools ${named('world_')} -p "<task>" </dev/null

# curl
curl -s -H "Authorization: Bearer $WORLD_SESSION" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' ${endpoint}
`;
}

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
