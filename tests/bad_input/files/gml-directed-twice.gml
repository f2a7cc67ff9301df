graph [ directed 1 directed 0 ]
