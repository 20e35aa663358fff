import { testLanguage } from '../../support/languageFuzz.ts'

testLanguage(10_000)
