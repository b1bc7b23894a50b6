import type { FilePatterns } from "./runs-later-patterns.ts";

/** Files that control agents: their instructions, and the servers, hooks, skills and plugins they start. */
export const AGENT_FILES: FilePatterns = [
  [".claude/** .claude-plugin/** .claude.json claude_desktop_config.json", "Claude Code's configuration"],
  [".hookline/**", "Hookline's own configuration"],
  [
    "{claude,claude.local,agents,agents.local,agents.override,agent,gemini,qwen,crush,warp,codex,skill}.md",
    "agent instructions",
  ],
  [
    ".github/{copilot-*,instructions,prompts,chatmodes,agents,skills}/** .github/copilot-*.* *.{instructions,chatmode,agent}.md",
    "agent instructions",
  ],
  [
    ".cursorrules .windsurfrules .goosehints .rules .clinerules* .roorules* .roomodes* .rooignore .clineignore .cursorignore",
    "agent instructions",
  ],
  [
    ".continuerules .continuerc* .augment-guidelines .openhands_instructions .aider* .llmrules .ai-rules* .junierules",
    "agent instructions",
  ],
  [
    "{.cursor,.windsurf,.cline,.roo,.continue,.codex,.gemini,.qwen,.opencode,.kilocode,.kiro,.junie,.amazonq,.agents,.agent,.goose,.augment,.trae,.crush,.cody,.openhands,.devin,.factory,.amp,.zencoder,.void,.tabnine,.codeium,.copilot,.qodo,.aiassistant,.mcp,.ai,.warp,.antigravity,.bob,.codebuddy,.iflow}/**",
    "another agent's configuration",
  ],
  [".roo-*/** .clinerules/** .clinerules-*/** .clauderules .rules/**", "another agent's configuration"],
  [
    "{opencode,.opencode,crush,.crush,gemini-extension}.{json,jsonc} .lsp.json .sourcegraph/**",
    "another agent's configuration",
  ],
  [
    "{mcp,.mcp}{,.local,-config,_config,_settings,-servers,_servers}.{json,jsonc} {mcp,.mcp}.{yml,yaml,toml} cline_mcp_settings.json",
    "a list of MCP servers to start",
  ],
  [
    ".{cursor-plugin,codex-plugin,agent-plugin,rovodev,pi,vibe,grok,kimi,ruler,rulesync,lingma,marscode,firebender,pochi,serena,qoder,jules,plandex,aider,forge,droid,codegen,sweep,mentat,cagent,superclaude,conductor,claude-flow,claude-server,claude-swarm,taskmaster,specify,spec-workflow,bmad-core,bmad,agent-os,agentos,swarm,crewai,autogen,tabby,refact,supermaven,codegpt,blackbox,phind,bolt,lovable,v0,same,emergent,replit,copilot-cli,gpt,llm,langgraph,dyad,pearai,melty,vscode-agents,opencode-plugin,gemini-extension,nanocoder,cosine,letta,mux,stagewise,openclaw,clawdbot,moltbot,kilo,kilocodemodes,codeflicker,comate,joycode,tongyi,codearts,cosy}/**",
    "another agent's configuration",
  ],
  [
    ".*/{skills,agents,subagents,chatmodes,steering,instructions,hooks}/** .*/{rules,prompts,commands,memories,modes}/*.{md,mdc,toml,yml,yaml,json} .*/mcp*.{json,jsonc,toml,yml,yaml}",
    "another agent's configuration",
  ],
  [
    ".{kilocodemodes,kilocoderules,codyrules,traerules,ai_rules,airules,aiderules,promptrules,copilotrules,clauderules,geminirules,agentrules,voidrules,devinrules,kirorules,llmrules,boltrules,lovablerules}* .*rules.{md,json} .{cursor,windsurf,cline,roo,kilocode,codeium,gemini,qwen,claude,copilot,aider,augment,aug,ai,agent,agents,trae,kiro}ignore .*.mdc *.mdc",
    "agent instructions",
  ],
  [
    "*.{prompt,skill,mode}.md copilot-instructions.md *-instructions.mdc {hooks,plugins/*/hooks,plugin/hooks}/hooks.json hooks.json conductor.json {mcpservers,mcp_servers,mcp-servers,mcp-config,mcp_config,.mcp-config,.mcp.config,mcp.config,mcp-settings,mcp_settings,mcp.settings,claude_desktop,cline_mcp_settings,mcphub,.mcphub}.{json,jsonc,json5,yml,yaml,toml}",
    "agent instructions",
  ],
  [
    "{iflow,codebuddy,qoder,lingma,rovodev,codex.local,gemini.local,claude.personal,claude.*.local}.md .replit.md .agentrc* .agents.{json,yml,yaml,toml} .mcprc* .codexrc* .geminirc*",
    "agent instructions",
  ],
  [
    "{bugbot,ai-rules,ai_rules,memory-bank}.md .{greptile,gptme,sweagent,swe-agent,korbit,cubic,baz,charlie,tembo,callstack,macroscope,kody,kodus,matterai,comate,joycode,aone_copilot,codegeex,fabric,prompts,personas,agno,mastra,smolagents,gitlab-duo,duo,codeant,qodo-merge,pr-agent,review-bot,ai-review,aireview,gemini-code-assist,amazon-q,codewhisperer}/** {gptme,cubic,kodus-config,firebender,langgraph,.mentat_config,.tabnine_commands,agentic,fast-agent.config,fastagent.config,mcp-agent.config,.sweagent,.swe-agent,codeant,.codeant,ai-review,.ai-review}.{toml,json,yml,yaml} .tabnine_commands .graphite_config .swe-agent* .gptme*",
    "agent instructions",
  ],
];
