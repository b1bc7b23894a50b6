import { join } from "node:path";
import {
  type BindingElement,
  type CallExpression,
  type FunctionDeclaration,
  type Identifier,
  type JsxAttribute,
  type JsxExpression,
  SyntaxKind as Kind,
  type Node,
  type VariableDeclaration,
} from "typescript/unstable/ast";
import { API, type Symbol as Named, type Type, TypeFlags, type UnionType } from "typescript/unstable/sync";
import { expect, it } from "vitest";

// Every string on a page is a text of ours or passed through `visibleText()`. The compiler's types identify
// strings; their origin is followed through constants, our functions and component properties.

const WEB = join(import.meta.dirname, "../../src/web");
/** Attributes that are visible or read by screen readers. */
const SHOWN = new Set([
  "title",
  "aria-label",
  "aria-description",
  "aria-valuetext",
  "placeholder",
  "alt",
  "label",
]);
/** They format numbers and times, or call `visibleText` themselves. */
const SAFE = new Set([
  "visibleLine",
  "visibleText",
  "String",
  "toFixed",
  "toLocaleString",
  "toLocaleDateString",
  "toLocaleTimeString",
]);
/** Methods that return a part of their object. */
const PARTS = new Set([
  "at",
  "filter",
  "join",
  "padStart",
  "replace",
  "replaceAll",
  "slice",
  "split",
  "toReversed",
  "trim",
  "trimStart",
]);
/** Reviewed by hand: from tables of ours, from the daemon's own figures and names, or made visible before. */
const ALLOWED: readonly string[] = [
  "health/recording-status.tsx: name",
  "health/recording-status.tsx: text",
  "pages/usage.tsx: report.pricesOf",
  "components/answer-actions.tsx: label",
  "components/segmented-control.tsx: name",
  "components/shown-parts.tsx: name",
  "components/shown-parts.tsx: piece",
  "components/shown-parts.tsx: text",
  "policy/trust-check.tsx: hash",
  "search/item-text.tsx: name",
  "session/copy-button.tsx: result",
  "session/cost.tsx: usage.pricesOf",
  "components/tabs.tsx: name",
  "session/session-header.tsx: name",
  "session/session-header.tsx: value",
  "settings/config-control.tsx: choice",
  "settings/config-section.tsx: setting.key",
  "shell/key-help.tsx: key",
  "shell/key-help.tsx: name",
  "shell/key-help.tsx: label",
  "usage/chart-panel.tsx: format",
  "usage/usage-tables.tsx: day.day",
  "usage/usage-tables.tsx: name",
  "usage/usage-totals.tsx: pricesOf",
];

it("shows only strings that are ours or were made visible", () => {
  const api = new API({ cwd: WEB });
  try {
    const { checked, found } = checkPages(api);
    expect(checked).toBeGreaterThan(800);
    expect(found.filter((entry) => !ALLOWED.includes(entry))).toEqual([]);
    expect(
      ALLOWED.filter((entry) => !found.includes(entry)),
      "what is allowed and no more there",
    ).toEqual([]);
  } finally {
    api.close();
  }
});

function checkPages(api: API): { checked: number; found: string[] } {
  const project = api.updateSnapshot({ openProjects: [join(WEB, "tsconfig.json")] }).getProjects()[0]!;
  const { checker, program } = project;
  const files = program.getSourceFileNames().filter((name) => name.startsWith(WEB) && name.endsWith(".tsx"));
  const found = new Set<string>();
  /** Properties of our components that are shown unchanged: their callers are checked. */
  const shownProps = new Set<string>();
  let checked = 0;

  const hasString = (type: Type | undefined): boolean => {
    if (type === undefined) return true;
    if (type.flags & (TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.Any | TypeFlags.Unknown))
      return true;
    if (type.flags & TypeFlags.Union) return ((type as UnionType).getTypes() ?? []).some(hasString);
    return checker.isArrayType(type) && hasString(checker.getTypeArguments(type as never)[0]);
  };
  const isWord = (symbol: Named | undefined): boolean =>
    symbol?.declarations?.some((entry) => String(entry.path).includes("/src/web/i18n/")) ?? false;
  const declared = (symbol: Named | undefined): Node | undefined =>
    symbol?.declarations?.[0]?.resolve(project);

  /** Null when all of it is ours; otherwise the part that is not. */
  function foreign(node: Node, seen: readonly Node[] = []): string | null {
    if (seen.includes(node) || seen.length > 12) return null;
    const path = [...seen, node];
    const first = (...nodes: readonly (Node | undefined)[]): string | null => {
      for (const entry of nodes) {
        const found = entry === undefined ? null : foreign(entry, path);
        if (found !== null) return found;
      }
      return null;
    };
    const part = (key: string): Node | undefined => partOf(node, key);
    switch (node.kind) {
      case Kind.TemplateExpression:
        return first(...partsOf(node, "templateSpans").map((span) => partOf(span, "expression")));
      case Kind.ParenthesizedExpression:
      case Kind.AsExpression:
      case Kind.NonNullExpression:
      case Kind.SpreadElement:
        return first(part("expression"));
      case Kind.ConditionalExpression:
        return first(part("whenTrue"), part("whenFalse"));
      case Kind.BinaryExpression:
        return part("operatorToken")?.kind === Kind.AmpersandAmpersandToken
          ? first(part("right"))
          : first(part("left"), part("right"));
      case Kind.ArrayLiteralExpression:
        return first(...partsOf(node, "elements"));
      case Kind.ArrowFunction:
      case Kind.FunctionDeclaration:
      case Kind.FunctionExpression: {
        const { body } = node as FunctionDeclaration;
        return body?.kind === Kind.Block ? first(...returnsOf(body)) : first(body);
      }
    }
    if (LITERAL.has(node.kind) || !hasString(checker.getTypeAtLocation(node))) return null;
    switch (node.kind) {
      case Kind.CallExpression:
        return foreignCall(node as CallExpression, first);
      case Kind.PropertyAccessExpression:
        return isWord(checker.getSymbolAtLocation(part("name")!)) ? null : node.getText();
      case Kind.ElementAccessExpression: {
        const of = part("expression")!;
        const values = of.kind === Kind.ObjectLiteralExpression ? valuesOf(of) : [];
        if (values.length > 0) return first(...values);
        if (of.kind === Kind.CallExpression) return first(of);
        return isOfWords(of) ? null : node.getText();
      }
      case Kind.Identifier:
        return foreignName(node as Identifier, first);
      default:
        return node.getText();
    }
  }

  function foreignCall(
    { expression: callee, arguments: given }: CallExpression,
    first: First,
  ): string | null {
    const isMethod = callee.kind === Kind.PropertyAccessExpression;
    const name = (isMethod ? partOf(callee, "name") : callee) as Identifier;
    if (SAFE.has(name.text)) return null;
    if (name.text === "fill") return first(...valuesOf(given[1]!));
    const object = isMethod ? partOf(callee, "expression") : undefined;
    if (isMethod && PARTS.has(name.text)) return first(object);
    if (isMethod && (name.text === "map" || name.text === "flatMap")) {
      const [act] = given;
      return act?.kind === Kind.Identifier && SAFE.has((act as Identifier).text) ? null : first(act);
    }
    const declaration = declared(resolved(checker.getSymbolAtLocation(name)));
    const act =
      declaration?.kind === Kind.VariableDeclaration
        ? (declaration as VariableDeclaration).initializer
        : declaration;
    if (act?.kind === Kind.FunctionDeclaration || act?.kind === Kind.ArrowFunction) {
      const part = first(act);
      // A value that is only passed through is checked at the call.
      const at = partsOf(act, "parameters").findIndex((entry) => partOf(entry, "name")?.getText() === part);
      return at === -1 ? part : first(given[at]);
    }
    // A render function is checked where it is defined.
    return act === undefined || act.kind === Kind.BindingElement ? null : name.getText();
  }

  function foreignName(name: Identifier, first: First): string | null {
    const symbol = checker.getSymbolAtLocation(name);
    if (isWord(symbol)) return null;
    const declaration = declared(resolved(symbol));
    if (declaration?.kind === Kind.FunctionDeclaration) return first(declaration);
    if (declaration?.kind === Kind.VariableDeclaration)
      return first((declaration as VariableDeclaration).initializer);
    if (declaration?.kind !== Kind.BindingElement) return name.getText();
    const { parent, propertyName, name: own } = declaration as BindingElement;
    const key = ((propertyName ?? own) as Identifier).text;
    const type = checker.getTypeAtLocation(parent);
    if (type !== undefined && isWord(checker.getPropertyOfType(type, key))) return null;
    const component = componentOf(parent);
    if (component === null || key === "children") return key === "children" ? null : name.getText();
    shownProps.add(`${component} ${key}`);
    return null;
  }

  function resolved(symbol: Named | undefined): Named | undefined {
    const isImport = declared(symbol)?.kind === Kind.ImportSpecifier;
    return symbol !== undefined && isImport ? checker.getAliasedSymbol(symbol) : symbol;
  }

  function isOfWords(node: Node): boolean {
    const expression = partOf(node, "expression");
    if (isWord(checker.getSymbolAtLocation(partOf(node, "name") ?? node))) return true;
    if (node.kind === Kind.Identifier && foreign(node) === null) return true;
    return expression !== undefined && isOfWords(expression);
  }

  const look = (file: string, node: JsxExpression): void => {
    const { parent, expression } = node;
    if (expression === undefined) return;
    const attribute = parent.kind === Kind.JsxAttribute ? (parent as JsxAttribute) : null;
    if (attribute === null ? parent.kind === Kind.JsxAttribute : !isShown(attribute)) return;
    checked++;
    const part = foreign(expression);
    if (part !== null) found.add(`${file}: ${part.replace(/\s+/g, " ")}`);
  };
  const isShown = ({ name, parent }: JsxAttribute): boolean => {
    const tag = partOf(parent.parent, "tagName")!.getText();
    const own = name.getText();
    return /^[a-z]/.test(tag) ? SHOWN.has(own) : shownProps.has(`${tag} ${own}`);
  };
  const all = (): void => {
    checked = 0;
    for (const name of files) {
      const visit = (node: Node): void => {
        if (node.kind === Kind.JsxExpression) look(name.slice(WEB.length + 1), node as JsxExpression);
        node.forEachChild(visit);
      };
      program.getSourceFile(name)?.forEachChild(visit);
    }
  };
  for (let before = -1; before !== shownProps.size; ) {
    before = shownProps.size;
    all();
  }
  return { checked, found: [...found].sort() };
}

type First = (...nodes: readonly (Node | undefined)[]) => string | null;

const LITERAL: ReadonlySet<Kind> = new Set([
  Kind.StringLiteral,
  Kind.NoSubstitutionTemplateLiteral,
  Kind.NumericLiteral,
  Kind.JsxElement,
  Kind.JsxSelfClosingElement,
  Kind.JsxFragment,
  Kind.NullKeyword,
]);

function partOf(node: Node, key: string): Node | undefined {
  return (node as unknown as Readonly<Record<string, Node | undefined>>)[key];
}

function partsOf(node: Node, key: string): readonly Node[] {
  return [...((node as unknown as Readonly<Record<string, Iterable<Node> | undefined>>)[key] ?? [])];
}

function valuesOf(object: Node): Node[] {
  return partsOf(object, "properties").map((entry) => partOf(entry, "initializer") ?? partOf(entry, "name")!);
}

/** The component that these properties belong to. */
function componentOf(pattern: Node): string | null {
  if (pattern.parent.kind !== Kind.Parameter) return null;
  const declaration = pattern.parent.parent;
  const name = partOf(declaration, "name") ?? partOf(declaration.parent.parent, "name");
  const own = (name as Identifier | undefined)?.text ?? "";
  return /^[A-Z]/.test(own) ? own : null;
}

function returnsOf(body: Node): Node[] {
  const found: Node[] = [];
  const visit = (node: Node): void => {
    if (node.kind === Kind.ReturnStatement) found.push(partOf(node, "expression")!);
    else if (node.kind !== Kind.ArrowFunction && node.kind !== Kind.FunctionDeclaration)
      node.forEachChild(visit);
  };
  body.forEachChild(visit);
  return found.filter((node) => node !== undefined);
}
