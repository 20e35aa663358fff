// Behaviour of the engine of tests for a rule by its number of contracts; with others it
// responds.

export const BEHAVIOURS = { fails: 13, dies: 14, refuses: 15, waits: 16 } as const

/** In the data folder it lets those that wait go on. */
export const GO_FILE = 'go'

/** In the data folder: a file `<server>-<engine>`, their process numbers, for each engine. */
export const ENGINES_FOLDER = 'engines'
