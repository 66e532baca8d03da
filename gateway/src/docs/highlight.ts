import {
  createCssVariablesTheme,
  createHighlighterCore,
  type HighlighterCore,
  type ThemedToken,
} from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import json from 'shiki/langs/json.mjs';
import python from 'shiki/langs/python.mjs';
import shell from 'shiki/langs/shellscript.mjs';
import typescript from 'shiki/langs/typescript.mjs';
import { escapeHtml } from './html.ts';

const theme = 'classes';

/** Returns the HTML of code. Its text is the code. */
export type Highlight = (code: string, language: string) => string;

/**
 * Loads the grammars. Colors are classes of the style sheet, because the policy of the pages allows
 * no inline style.
 */
export async function createHighlight(): Promise<Highlight> {
  const highlighter = await createHighlighterCore({
    themes: [createCssVariablesTheme({ name: theme })],
    langs: [json, python, shell, typescript],
    engine: createJavaScriptRegexEngine(),
  });
  return (code, language) => highlightWith(highlighter, code, language);
}

function highlightWith(highlighter: HighlighterCore, code: string, language: string): string {
  if (!highlighter.getLoadedLanguages().includes(language)) return escapeHtml(code);
  const { tokens } = highlighter.codeToTokens(code, { lang: language, theme });
  return tokens.map((line) => line.map(tokenHtml).join('')).join('\n');
}

function tokenHtml({ content, color = '' }: ThemedToken): string {
  const [, kind] = /^var\(--shiki-token-([\w-]+)\)$/.exec(color) ?? [];
  const text = escapeHtml(content);
  return kind ? `<span class="token-${kind}">${text}</span>` : text;
}
