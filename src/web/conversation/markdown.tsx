import { Fragment, memo, type ReactNode, useMemo } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import type { Inline } from "./parse-inline.ts";
import { type Block, parseMarkdown } from "./parse-markdown.ts";
import "./markdown.css";

/** Agent text, formatted. Nothing in it can be followed, fetched or run. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div className="markdown">{blocks.map(showBlock)}</div>;
});

function showBlock(block: Block, key: number): ReactNode {
  switch (block.type) {
    case "heading":
      // Heading levels within an answer are below the page's own.
      return block.level <= 2 ? (
        <h3 key={key}>{block.inner.map(showInline)}</h3>
      ) : (
        <h4 key={key}>{block.inner.map(showInline)}</h4>
      );
    case "paragraph":
      return <p key={key}>{block.inner.map(showInline)}</p>;
    case "code":
      return (
        <pre key={key} className="fence" data-language={visibleText(block.language)}>
          <code>{block.text.split("\n").map(visibleText).join("\n")}</code>
        </pre>
      );
    case "quote":
      return <blockquote key={key}>{block.blocks.map(showBlock)}</blockquote>;
    case "rule":
      return <hr key={key} />;
    case "list":
      return showList(block, key);
    case "table":
      return showTable(block, key);
    default:
      return block satisfies never;
  }
}

function showList({ start, items }: Block & { type: "list" }, key: number): ReactNode {
  const rows = items.map(({ checked, blocks }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parsed text has no other key
    <li key={index} className={checked === null ? "" : "task"}>
      {checked !== null && <span className="box">{checked ? "☑" : "☐"}</span>}
      {blocks.map((block, blockIndex) =>
        // A short item needs no paragraph.
        block.type === "paragraph" && blockIndex === 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Fragment key={blockIndex}>{block.inner.map(showInline)}</Fragment>
        ) : (
          showBlock(block, blockIndex)
        ),
      )}
    </li>
  ));
  return start === null ? (
    <ul key={key}>{rows}</ul>
  ) : (
    <ol key={key} start={start}>
      {rows}
    </ol>
  );
}

function showTable({ head, rows, align }: Block & { type: "table" }, key: number): ReactNode {
  const cell = (Tag: "th" | "td") => (inner: readonly Inline[], index: number) => (
    <Tag key={index} className={align[index] ?? "left"}>
      {inner.map(showInline)}
    </Tag>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must scroll by keyboard
    <section key={key} className="table" tabIndex={0} aria-label={head.map(plainText).join(", ")}>
      <table>
        <thead>
          <tr>{head.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
            <tr key={index}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function plainText(inner: readonly Inline[]): string {
  return inner.map((part) => ("inner" in part ? plainText(part.inner) : visibleText(part.text))).join("");
}

function showInline(part: Inline, key: number): ReactNode {
  switch (part.type) {
    case "text":
      return <Fragment key={key}>{visibleText(part.text)}</Fragment>;
    case "code":
      return <code key={key}>{visibleText(part.text)}</code>;
    case "strong":
      return <strong key={key}>{part.inner.map(showInline)}</strong>;
    case "em":
      return <em key={key}>{part.inner.map(showInline)}</em>;
    case "strike":
      return <s key={key}>{part.inner.map(showInline)}</s>;
    case "link":
      return (
        <span key={key} className="address">
          {part.inner.map(showInline)} <span className="where">{visibleText(part.address)}</span>
        </span>
      );
    default:
      return part satisfies never;
  }
}
