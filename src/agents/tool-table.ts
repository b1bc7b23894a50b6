/** The tools of one agent, by the names that the agent gives them. Total: any name. */
export interface ToolTable {
  kindOf(name: string): string;
}
