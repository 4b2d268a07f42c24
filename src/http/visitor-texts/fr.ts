import type { VisitorTexts } from './texts.ts';

export const FR: VisitorTexts = {
  thanks: {
    title: 'Merci',
    text: 'Votre message a bien été reçu.',
    message: 'Merci, votre message a bien été reçu.',
  },
  refused: 'Votre message n’a pas été envoyé',
  back: 'Retour à la page',
  refusals: {
    empty: 'Le formulaire était vide. Veuillez remplir au moins un champ.',
    fields: 'Certaines données manquent ou doivent être corrigées.',
    unreadable: 'Le formulaire n’a pas pu être lu. Veuillez vérifier votre saisie et réessayer.',
    tooLarge:
      'Le formulaire est trop volumineux. Veuillez raccourcir votre saisie ou choisir des fichiers plus petits.',
    unsupported: 'Le formulaire a été envoyé sous une forme qui ne peut pas être lue ici.',
    tooManyFiles: 'Il y a trop de fichiers. Veuillez en envoyer moins à la fois.',
    fileTooLarge: 'Un fichier est trop volumineux. Veuillez en choisir un plus petit.',
    fileType: 'Ce formulaire n’accepte pas de fichier de ce type. Veuillez en choisir un autre.',
    tooSlow: 'Votre message a mis trop de temps à arriver. Veuillez vérifier votre connexion et réessayer.',
    paused: 'Ce formulaire n’accepte pas de messages pour le moment.',
    unknown: 'Il n’y a pas de formulaire à cette adresse.',
    origin: 'Ce formulaire n’accepte pas de messages depuis cette page.',
    staleKey: 'La page d’où vous venez pose un problème. Veuillez la recharger et réessayer.',
    underWay: 'Votre message est déjà en cours d’envoi. Veuillez patienter un instant avant de le renvoyer.',
    reusedKey:
      'Ce formulaire a déjà été envoyé avec un autre contenu. Veuillez recharger la page et le remplir à nouveau.',
    cap: 'Ce formulaire n’accepte plus de messages ce mois-ci.',
    rate: 'Trop de messages sont venus de votre adresse. Veuillez patienter une minute et réessayer.',
    failed: 'Une erreur s’est produite de notre côté et rien n’a été enregistré. Veuillez réessayer dans une minute.',
  },
  faults: {
    required: 'Ce champ est obligatoire.',
    email: 'Veuillez indiquer une adresse e-mail, par exemple name@example.com.',
    number: 'Veuillez indiquer un nombre, par exemple 42.',
    url: 'Veuillez indiquer une adresse web complète, par exemple https://example.com.',
    date: 'Veuillez indiquer une date sous la forme année, mois et jour, par exemple 2026-11-30.',
    checkbox: 'Cette case peut seulement être cochée ou rester vide.',
    file: 'Un fichier est attendu ici, et non du texte.',
    text: 'Seul du texte est accepté ici.',
    max_length: 'Votre saisie est trop longue. Nombre de caractères autorisé\u00a0: {limit}.',
    pattern: 'Votre saisie n’a pas le format demandé.',
    too_long: 'Ce texte est trop long. Taille autorisée\u00a0: {limit}.',
    file_too_large: 'Ce fichier est trop volumineux. Taille maximale\u00a0: {limit}.',
    file_type: 'Un fichier de ce type n’est pas accepté ici.',
    too_many_files: 'Trop de fichiers ont été choisis. Nombre de fichiers autorisé\u00a0: {limit}.',
  },
};
