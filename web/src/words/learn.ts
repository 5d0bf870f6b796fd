/* Words of the lessons. */
import { w } from './word';

export const LEARN = {
  learn: w('Lernen', 'Learn', 'Apprendre'),
  'learn.title': w('Lernen beim Spielen', 'Learn by playing', 'Apprendre en jouant'),
  'learn.lead': w(
    'Kurze Lektionen auf dem echten Spielplan. Du kannst jederzeit aufhören und später weitermachen.',
    'Short lessons on the real board. You can stop at any time and go on later.',
    'De courtes leçons sur le vrai plateau. Tu peux t’arrêter à tout moment et continuer plus tard.',
  ),
  'learn.minutes': w('etwa {n} {n|Minute|Minuten}', 'about {n} {n|minute|minutes}', 'environ {n} {n|minute|minutes}'),
  'learn.start': w('Anfangen', 'Start', 'Commencer'),
  'learn.again': w('Noch einmal', 'Once more', 'Encore une fois'),
  'learn.done': w('Fertig', 'Done', 'Terminée'),
  'learn.at': w('Schritt {n} von {of}', 'Step {n} of {of}', 'Étape {n} sur {of}'),
  'start.lesson': w('Grundkurs: {n} {n|Minute|Minuten}', 'First lesson: {n} {n|minute|minutes}', 'Première leçon : {n} {n|minute|minutes}'),

  lesson: w('Lektion', 'Lesson', 'Leçon'),
  'lesson.steps': w('Schritte der Lektion', 'Steps of the lesson', 'Étapes de la leçon'),
  'lesson.step': w('Schritt {n} von {of}', 'Step {n} of {of}', 'Étape {n} sur {of}'),
  'lesson.next': w('Weiter', 'Next', 'Suite'),
  'lesson.finish': w('Fertig', 'Finish', 'Terminer'),
  'lesson.skip': w('Schritt überspringen', 'Skip this step', 'Passer cette étape'),
  'lesson.leave': w('Später weitermachen', 'Go on later', 'Continuer plus tard'),
  'lesson.kept': w('Dein Stand bleibt in diesem Browser.', 'Your progress stays in this browser.', 'Ta progression reste dans ce navigateur.'),
  'lesson.notQuite': w('Noch nicht ganz', 'Not quite', 'Pas tout à fait'),
  'lesson.show': w('Zeig es mir', 'Show me', 'Montre-moi'),
  'lesson.try': w('Weiter probieren', 'Keep trying', 'Essayer encore'),
  'lesson.later': w('Das ginge im Spiel auch. Hier kommt es später dran.', 'In a game you could do that. Here it comes later.', 'En partie, ce serait possible. Ici, ça viendra plus tard.'),
  'lesson.read': w('Lies erst und drücke dann auf „Weiter“.', 'Read first, then press “Next”.', 'Lis d’abord, puis appuie sur « Suite ».'),
};
