import { expect, test } from 'vitest'
import { openTurns } from '../../src/positions/engine.ts'

test('who leaves while waiting is gone at once; who comes after has its turn', async () => {
  const turns = openTurns(1, [])
  const asked: string[] = []
  const ask = (name: string, signal?: AbortSignal) =>
    turns.alone(async () => {
      asked.push(name)
      return name
    }, signal)
  let end = () => {}
  const first = turns.alone(
    () =>
      new Promise<string>(done => {
        end = () => done('first')
        begin()
      }),
  )
  let begin = () => {}
  await new Promise<void>(begun => {
    begin = begun
  })

  const hangUp = new AbortController()
  const left = ask('left', hangUp.signal)
  const stayed = ask('stayed', new AbortController().signal)
  hangUp.abort(new Error('hung up'))
  // the first one still runs
  await expect(left).rejects.toThrow('hung up')
  await expect(ask('late', hangUp.signal)).rejects.toThrow('hung up')
  expect(asked).toEqual([])
  end()
  expect([await first, await stayed]).toEqual(['first', 'stayed'])
  expect(asked).toEqual(['stayed'])
  await turns.close()
})

test('who leaves in its turn is told by the work itself, not before it has stopped', async () => {
  const turns = openTurns(1, [])
  const hangUp = new AbortController()
  const steps: string[] = []
  const stopped = turns.alone(async () => {
    hangUp.abort(new Error('hung up'))
    await new Promise(setImmediate)
    steps.push('stopped')
    hangUp.signal.throwIfAborted()
  }, hangUp.signal)
  await expect(stopped).rejects.toThrow('hung up')
  expect(steps).toEqual(['stopped'])
  await turns.close()
})
