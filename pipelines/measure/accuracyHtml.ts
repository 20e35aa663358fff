import escapeHtml from 'escape-html'
import type { Table } from './accuracyText.ts'

export const BLUE = '#1f5fa8'
export const ORANGE = '#d9822b'
export const GREY = '#6b7280'

export const section = (title: string, parts: readonly string[]) =>
  `<section><h2>${escapeHtml(title)}</h2>\n${parts.join('\n')}\n</section>`

export const paragraph = (value: string) => `<p>${escapeHtml(value)}</p>`

export function htmlTable({ head, lines }: Table): string {
  const row = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map(cell => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`
  const rows = [row(head, 'th'), ...lines.map(cells => row(cells, 'td'))]
  return `<div class="scroll"><table>${rows.join('\n')}</table></div>`
}

type Key = { readonly color: string; readonly meaning: string }

export const legend = (keys: readonly Key[]) =>
  `<p>${keys
    .map(
      ({ color, meaning }) =>
        `<span class="key"><span class="dot" style="background:${color}"></span>${escapeHtml(meaning)}</span>`,
    )
    .join('')}</p>`
