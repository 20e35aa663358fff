import type { Clock } from '../../src/core/clock.ts'

/** Log of a watcher for its operator. */
export type Say = {
  readonly info: (message: string, fields?: object) => void
  readonly error: (message: string, fields?: object) => void
}

type Output = { readonly write: (text: string) => unknown }

/** Lines for a person, or with `isJson` lines that a server takes into its log. */
export function sayOn(output: Output, { nowMs }: Clock, isJson: boolean): Say {
  const at =
    (level: 'info' | 'error') =>
    (message: string, fields: object = {}) => {
      if (isJson) {
        output.write(`${JSON.stringify({ level, message, ...fields })}\n`)
        return
      }
      const time = new Date(nowMs()).toISOString().slice(0, 19).replace('T', ' ')
      const details = Object.entries(fields).map(([name, value]) => `  ${name}: ${value}`)
      output.write(`${time} UTC  ${message}${details.join('')}\n`)
    }
  return { info: at('info'), error: at('error') }
}

/** Logs an error once, until another one or none comes. */
export function sayOnce(say: Say) {
  let last = ''
  return {
    failed: (work: string, error: unknown) => {
      const reason = (error as Error).message
      // figures change from attempt to attempt
      const kind = `${work} ${reason.replaceAll(/\d+/g, '#')}`
      if (kind === last) return
      last = kind
      say.error(`cannot ${work}`, { reason })
    },
    succeeded: () => {
      if (last !== '') say.info('goes on')
      last = ''
    },
  }
}
