graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 value "5 km" ] edge [ source 0 target 1 value "7 km" ] ]
