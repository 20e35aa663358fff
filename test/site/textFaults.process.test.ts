// The detector of texts that nobody can read, on small pages with planted faults.

import { expect } from 'vitest'
import { inBrowser, withPage } from '../support/browser.ts'
import { textFaults } from '../support/textFaults.ts'

const at = (left: number, top: number, text: string, more = '') =>
  `<div style="position:absolute;left:${left}px;top:${top}px;font:16px/1 sans-serif;${more}">` +
  `${text}</div>`

const picture = (inside: string, style = '') =>
  `<svg class="picture" style="${style}" width="300" height="100" font-size="12" font-family="sans-serif">
  ${inside}</svg>`

const drawing = (lines: string) => `<canvas width="200" height="60"></canvas><script>{
const context = document.querySelector('canvas').getContext('2d')
context.font = '14px sans-serif'
${lines}
}</script>`

/** A page, and what is found in it. */
const CASES: readonly (readonly [string, string, readonly (string | RegExp)[]])[] = [
  ['two texts in one place', at(10, 10, 'first') + at(20, 14, 'second'), [/^"first" and "second"/]],
  ['two texts beside each other', at(10, 10, 'first') + at(80, 10, 'second'), []],
  ['two lines of one text', '<p style="width:60px;line-height:1.1">a few words in lines</p>', []],
  ['lines that lie on each other by a pixel', at(10, 10, 'first') + at(10, 22, 'second'), []],
  [
    'a table row over the line before it',
    '<table><tr><td>one</td></tr><tr style="position:relative;top:-16px"><td>two</td></tr></table>',
    [/^"one" and "two" overlap by/],
  ],
  [
    'two labels of a picture',
    picture('<text x="10" y="50">5,900</text><text x="20" y="54">5,905</text>'),
    [/^"5,900" and "5,905" overlap by/],
  ],
  [
    'a label of a picture under a text of the page',
    picture('<text x="10" y="50">5,900</text>') + at(12, 46, 'note', 'margin:0;left:20px;top:48px'),
    [/^"5,900" and "note" overlap by/],
  ],
  [
    'two texts on a canvas',
    drawing(`context.fillText('09:30', 10, 30); context.fillText('09:35', 30, 32)`),
    [/^"09:30" and "09:35" overlap by/],
  ],
  [
    'a canvas that was drawn anew',
    drawing(`context.fillText('09:30', 10, 30); context.clearRect(0, 0, 200, 60)
      context.fillText('09:35', 30, 32)`),
    [],
  ],
  [
    'a text that leaves its canvas',
    drawing(`context.fillText('16:00', 180, 30)`),
    [/^"16:00" is cut by <canvas/],
  ],
  [
    'a line of a picture through its label',
    picture(
      '<path class="line spot" d="M0 46H300" stroke="#000" fill="none"/><text x="9" y="50">59</text>',
    ),
    ['a line "line spot" runs through "59"'],
  ],
  [
    'a line of a picture above its label, and a faint one behind it',
    picture(`<path d="M0 20H300" stroke="#000" fill="none"/>
      <path class="grid" d="M0 46H300" stroke="#ccc" fill="none"/>
      <text x="10" y="50">5,900</text>`),
    [],
  ],
  [
    'a label that leaves its picture',
    picture('<text x="290" y="50">5,900</text>'),
    ['"5,900" is cut by <svg class="picture">'],
  ],
  [
    'a label that sticks out of a picture',
    picture('<text x="290" y="50">5,900</text>', 'overflow:visible'),
    [/^"5,900" sticks out of its picture by \d+$/],
  ],
  [
    'a text that its box cuts',
    '<div class="box" style="width:40px;overflow:hidden;white-space:nowrap">a long word</div>',
    ['"a long word" is cut by <div class="box">'],
  ],
  [
    'a text that its box scrolls',
    '<div style="width:40px;overflow:auto;white-space:nowrap">a long word</div>',
    [],
  ],
  ['a text that leaves the window', at(380, 10, 'word'), [/^"word" leaves the window by \d+$/]],
  [
    'a text under something else',
    at(10, 10, 'word') + at(0, 0, '', 'width:90px;height:90px;background:#fff'),
    [/^"word" is covered by <div/],
  ],
  [
    'what is there for a screen reader alone, or not shown at all',
    at(10, 10, 'first') +
      at(10, 10, 'second', 'clip-path:inset(50%)') +
      at(10, 10, 'third', 'visibility:hidden') +
      '<details style="position:absolute;left:10px;top:60px"><summary>more</summary>less</details>' +
      at(10, 90, 'below'),
    [],
  ],
  [
    'a field that is too short for its value',
    '<input name="key" value="a long value of a field" style="width:50px">',
    ['the field key cuts "a long value of a field"'],
  ],
]

inBrowser('planted faults are found, and nothing else', async () => {
  await withPage('null', { width: 400, height: 300 }, async page => {
    for (const [name, markup, faults] of CASES) {
      await page.setContent(`<!doctype html><meta charset="utf-8"><body>${markup}`)
      const found = await textFaults(page)
      const wanted = faults.map(fault =>
        typeof fault === 'string' ? fault : expect.stringMatching(fault),
      )
      expect(found, name).toEqual(wanted)
    }
  })
})
